import css from './Sparkline.module.css'

const [WIDTH, HEIGHT, INSET] = [120, 32, 3]

/**
 * Draws values as a small line in the direction of the page's text, the last one with a dot. The
 * text beside it says what matters, so screen readers leave it out.
 */
export const Sparkline = ({ values }: { values: readonly number[] }) => {
  const most = Math.max(...values, 0)
  if (values.length < 2 || most === 0) return null
  const points = values.map((value, index) => ({
    x: INSET + (index * (WIDTH - 2 * INSET)) / (values.length - 1),
    y: HEIGHT - INSET - (value / most) * (HEIGHT - 2 * INSET),
  }))
  const last = points.at(-1)
  return (
    <svg className={css.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {last && <circle cx={last.x} cy={last.y} r={INSET} />}
    </svg>
  )
}
