// Numbers and columns, without Foundation.

/// A number with so many decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
  guard let scaled = Int(exactly: (abs(value) * scale).rounded()) else { return "\(value)" }
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard decimals > 0 else { return "\(sign)\(scaled)" }
  let fraction = "\(scaled % Int(scale))"
  return "\(sign)\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

func percent(_ share: Double, _ decimals: Int) -> String { fixed(share * 100, decimals) + " %" }

/// The first column left, the others right.
func row(_ cells: [String], widths: [Int]) -> String {
  zip(cells, widths).enumerated().map { column, cell in
    let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
    return column == 0 ? cell.0 + space : space + cell.0
  }.joined()
}
