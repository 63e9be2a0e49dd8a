"""Whether what lies on the disk is what was written, and holds together: `webecho verify`."""
