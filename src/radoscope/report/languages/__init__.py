"""The words of the page that are not made from values: headings and what stands where there is nothing to show."""
