/**
 * Returns a round value of at least `most`; with `wholeUnit`, one whose half is a whole number of
 * these units, because the axis shows the half too.
 */
export const niceMax = (most: number, wholeUnit?: number): number => {
  const unit = wholeUnit ?? 1
  const isWhole = wholeUnit !== undefined
  const least = isWhole ? 2 : 1
  const count = most / unit
  if (count <= 0) return least * unit
  const magnitude = 10 ** Math.floor(Math.log10(count))
  const rounded = [1, 2, 2.5, 4, 5, 10, 20].map((n) => n * magnitude)
  const fits = (n: number) => n >= count && (!isWhole || (n >= least && n % 2 === 0))
  return (rounded.find(fits) ?? count) * unit
}
