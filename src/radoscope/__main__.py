"""`python -m radoscope` is the command `radoscope`."""

from radoscope.cli.main import main

if __name__ == "__main__":
    main()
