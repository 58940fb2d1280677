/** The mark: a kerb's corner with a pin standing on it. */
export const Logo = () => (
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
    <text
      x="33"
      y="23"
      fill="currentColor"
      fontFamily="var(--font)"
      fontSize="21"
      fontWeight="800"
      letterSpacing="-0.7"
      textLength="98"
      lengthAdjust="spacingAndGlyphs"
    >
      Kerbside
    </text>
  </svg>
)
