print("font")
