/** Twice the area of a ring, whether or not its end repeats its beginning; below zero when it runs the other way round. */
export const doubledArea = (ring: readonly (readonly number[])[]): number => {
  let sum = 0
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!
    sum += a[0]! * b[1]! - b[0]! * a[1]!
  })
  return sum
}
