/** Width of the name beside the mark, px. Fixed, so that no name moves the header. */
export const ROOM = 98
const LARGEST = 21
const SMALLEST = 12
/** Width of bold letters as a fraction of the font size; other scripts have wider letters. */
const LATIN = 0.6
const WIDE = 1

const getWidth = (text: string) =>
  [...text].reduce((sum, letter) => sum + (letter < '\u1100' ? LATIN : WIDE), 0)

/** Splits at the space that makes the longer of two lines shortest. */
const halves = (name: string): string[] => {
  const words = name.split(/\s+/)
  const splits = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
  const longest = (lines: string[]) => Math.max(...lines.map(getWidth))
  return splits.reduce((best, split) => (longest(split) < longest(best) ? split : best), [name])
}

const cut = (line: string, most: number): string => {
  if (getWidth(line) <= most) return line
  const letters = [...line]
  while (letters.length > 1 && getWidth(letters.join('')) + LATIN > most) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Returns how a name is drawn in the logo: one line or two, in a smaller size if it is long. */
export const wordmark = (
  name: string,
): { size: number; lines: { text: string; isFull: boolean }[] } => {
  const whole = name.trim()
  const getSize = (lines: string[], largest: number) =>
    Math.min(largest, ROOM / Math.max(...lines.map(getWidth)))
  const one = getSize([whole], LARGEST)
  const split = one < 15 ? halves(whole) : [whole]
  const size = Math.max(SMALLEST, split.length > 1 ? getSize(split, 15) : one)
  const most = ROOM / size
  return {
    size: Math.round(size * 10) / 10,
    lines: split
      .map((line) => cut(line, most))
      // A line about as wide as the room is made exactly so, whatever the font.
      .map((text) => ({ text, isFull: getWidth(text) > most * 0.9 })),
  }
}
