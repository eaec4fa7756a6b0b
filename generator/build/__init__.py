"""From content to output: the pipeline, the processes it runs in and the files it writes."""
