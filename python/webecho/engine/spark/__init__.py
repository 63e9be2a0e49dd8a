"""Apache Spark: the same statements and kernels, on the cluster that its owner has."""
