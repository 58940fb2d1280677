import { useAppName } from '~/src/features/settings/appName'
import { ROOM, wordmark } from './wordmark'

/** Renders the mark (a curb's corner with a pin) and the site's name at a fixed width. */
export const Logo = () => {
  const { size, lines } = wordmark(useAppName())
  return (
    <svg
      style={{ direction: 'ltr' }}
      width="136"
      height="32"
      viewBox="0 0 136 32"
      fill="none"
      aria-hidden="true"
    >
      <path
        d="M4 27h10a8 8 0 0 0 8-8V5"
        stroke="var(--accent)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeDasharray="7 6.2"
      />
      <circle cx="9" cy="11" r="4.5" fill="currentColor" />
      {lines.map(({ text, isFull }, index) => (
        <text
          key={index}
          x="33"
          y={lines.length > 1 ? 13.5 + index * 14 : 16 + size / 3}
          fill="currentColor"
          fontFamily="var(--font)"
          fontSize={size}
          fontWeight="800"
          letterSpacing={size > 18 ? -0.7 : 0}
          {...(isFull && { textLength: ROOM, lengthAdjust: 'spacingAndGlyphs' })}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}
