"""The file to name to spark-submit: what follows it are the arguments of `tricolore spark`.

spark-submit --master yarn "$(python -m tricolore.cli.spark_submit)" score --table s3a://bucket/table --hyp mt ...
"""

import os
import sys

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]  # only the package itself is meant
    if sys.argv[1:]:
        from tricolore.cli import main

        main(["spark", *sys.argv[1:]])
    print(os.path.abspath(__file__))
