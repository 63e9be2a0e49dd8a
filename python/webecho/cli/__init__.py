"""What each verb of the command line does, once its options are known."""
