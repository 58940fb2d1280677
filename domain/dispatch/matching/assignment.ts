/** The cost of a pair that must not be matched. */
export const FORBIDDEN = Infinity

/**
 * Returns the column of each row in the assignment that matches as many rows as possible and, among
 * those, has the least total cost; -1 for a row without a column. `costs[row][column]` is finite or
 * `FORBIDDEN`. The matrix may have any shape. The same matrix always gives the same result.
 *
 * Adds the rows one by one along the shortest augmenting path, with potentials that keep reduced
 * costs at zero or above: O(rows² × columns). Integer costs keep the sums exact.
 */
export const assignMinimumCost = (costs: readonly (readonly number[])[]): number[] => {
  const rows = costs.length
  const real = costs[0]?.length ?? 0
  // A column of its own for each row, dearer than any matching, stands for staying without one.
  const columns = real + rows
  const unmatchedCost = getUnmatchedCost(costs)
  const rowPotential = new Float64Array(rows)
  const columnPotential = new Float64Array(columns)
  const rowOfColumn = new Int32Array(columns).fill(-1)
  const distance = new Float64Array(columns)
  const previousColumn = new Int32Array(columns)
  const visitedColumns = new Uint8Array(columns)

  for (let added = 0; added < rows; added++) {
    distance.fill(Infinity)
    previousColumn.fill(-1)
    visitedColumns.fill(0)
    let row = added
    let column = -1
    let reached = 0
    for (;;) {
      const line = costs[row] ?? []
      const base = reached - (rowPotential[row] ?? 0)
      let next = -1
      let least = Infinity
      for (let j = 0; j < columns; j++) {
        if (visitedColumns[j] === 1) continue
        const isOwn = j - real === row
        const cost = j < real ? (line[j] ?? FORBIDDEN) : isOwn ? unmatchedCost : FORBIDDEN
        const through = base + cost - (columnPotential[j] ?? 0)
        if (through < (distance[j] ?? Infinity)) {
          distance[j] = through
          previousColumn[j] = column
        }
        if ((distance[j] ?? Infinity) < least) {
          least = distance[j] ?? Infinity
          next = j
        }
      }
      column = next
      reached = least
      visitedColumns[column] = 1
      if (rowOfColumn[column] === -1) break
      row = rowOfColumn[column] ?? -1
    }
    rowPotential[added] = (rowPotential[added] ?? 0) + reached
    for (let j = 0; j < columns; j++) {
      if (visitedColumns[j] !== 1 || j === column) continue
      const less = reached - (distance[j] ?? 0)
      columnPotential[j] = (columnPotential[j] ?? 0) - less
      const matched = rowOfColumn[j] ?? -1
      rowPotential[matched] = (rowPotential[matched] ?? 0) + less
    }
    for (let j = column; ;) {
      const before = previousColumn[j] ?? -1
      rowOfColumn[j] = before === -1 ? added : (rowOfColumn[before] ?? -1)
      if (before === -1) break
      j = before
    }
  }

  const columnOfRow = new Array<number>(rows).fill(-1)
  for (let j = 0; j < real; j++) {
    const row = rowOfColumn[j] ?? -1
    if (row !== -1) columnOfRow[row] = j
  }
  return columnOfRow
}

/** Returns a cost that no number of cheap matches outweighs. */
const getUnmatchedCost = (costs: readonly (readonly number[])[]): number => {
  let least = 0
  let most = 0
  for (const line of costs)
    for (const cost of line)
      if (cost !== FORBIDDEN) {
        if (cost < least) least = cost
        if (cost > most) most = cost
      }
  return (most - least) * (costs.length + 1) + most + 1
}
