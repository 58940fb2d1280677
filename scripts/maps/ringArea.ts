/**
 * Returns twice the area of a ring, whether or not its last point repeats the first; negative when
 * it runs in the opposite direction.
 */
export const signedArea2 = (ring: readonly (readonly number[])[]): number => {
  let sum = 0
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!
    sum += a[0]! * b[1]! - b[0]! * a[1]!
  })
  return sum
}
