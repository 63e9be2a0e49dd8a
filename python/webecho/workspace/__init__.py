"""The store between the stages: a folder of tables, its manifest, and its sources read again."""
