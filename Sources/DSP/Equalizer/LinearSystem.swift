/// A small square system of equations, solved by Gaussian elimination with row pivoting.
struct LinearSystem {
  var rows: [[Double]]

  /// The x for which rows · x = `right`; nil when the rows do not determine it.
  func solving(_ right: [Double]) -> [Double]? {
    var rows = zip(rows, right).map { $0 + [$1] }
    let n = rows.count
    for column in 0..<n {
      guard let pivot = (column..<n).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12
      else { return nil }
      rows.swapAt(column, pivot)
      for row in (column + 1)..<max(n, column + 1) {
        let factor = rows[row][column] / rows[column][column]
        for k in column...n { rows[row][k] -= factor * rows[column][k] }
      }
    }
    var x = [Double](repeating: 0, count: n)
    for row in (0..<n).reversed() {
      let known = ((row + 1)..<max(n, row + 1)).reduce(0) { $0 + rows[row][$1] * x[$1] }
      x[row] = (rows[row][n] - known) / rows[row][row]
    }
    return x
  }
}
