// Our own drawings. They use the page's colors, so that they fit both color schemes.

const ArtFrame = ({ children }: { children: React.ReactNode }) => (
  <svg
    width="112"
    height="84"
    viewBox="0 0 112 84"
    fill="none"
    aria-hidden="true"
    focusable="false"
  >
    <path
      d="M6 74h100"
      stroke="var(--accent)"
      strokeWidth="6"
      strokeLinecap="round"
      strokeDasharray="14 12"
    />
    {children}
  </svg>
)
const LINE_STYLE = {
  stroke: 'currentColor',
  strokeWidth: 4,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export const PriceArt = () => (
  <ArtFrame>
    <path
      {...LINE_STYLE}
      d="M30 62V12a6 6 0 0 1 6-6h40a6 6 0 0 1 6 6v50l-9-6-8 6-9-6-9 6-8-6Z"
      fill="var(--surface)"
    />
    <path {...LINE_STYLE} d="M42 20h28M42 31h16M66 31h4M42 42h20" />
    <circle cx="84" cy="50" r="13" fill="var(--accent)" />
    <path
      d="M78 50.500l4.500 4.500 8-9"
      stroke="var(--on-accent)"
      strokeWidth="3.500"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </ArtFrame>
)
export const LiveArt = () => (
  <ArtFrame>
    <path {...LINE_STYLE} d="M14 60c22 0 10-26 34-26s14-18 34-18" strokeDasharray="1 9" />
    <path d="M86 40s13-11 13-21a13 13 0 0 0-26 0c0 10 13 21 13 21Z" fill="currentColor" />
    <circle cx="86" cy="18" r="5" fill="var(--surface)" />
    <rect x="8" y="46" width="34" height="16" rx="6" fill="var(--accent)" />
    <path d="M16 46l5-9h12l5 9" fill="var(--accent)" />
    <circle cx="17" cy="63" r="5" fill="currentColor" />
    <circle cx="34" cy="63" r="5" fill="currentColor" />
  </ArtFrame>
)
export const CodeArt = () => (
  <ArtFrame>
    <path {...LINE_STYLE} d="M28 26 56 12l28 14v26L56 66 28 52Z" fill="var(--surface)" />
    <path {...LINE_STYLE} d="m28 26 28 14 28-14M56 40v26" />
    <rect x="36" y="30" width="60" height="22" rx="11" fill="var(--accent)" />
    <g fill="var(--on-accent)">
      <circle cx="50" cy="41" r="3.500" />
      <circle cx="61" cy="41" r="3.500" />
      <circle cx="72" cy="41" r="3.500" />
      <circle cx="83" cy="41" r="3.500" />
    </g>
  </ArtFrame>
)
