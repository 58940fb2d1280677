// Our own drawings. They use the page's colors, so that they fit both color schemes.

const drawWindows = (x: number, y: number, columns: number, rows: number, skip: number) =>
  Array.from({ length: columns * rows }, (_, i) => i)
    .filter((i) => (i * 7 + skip) % 3 !== 0)
    .map((i) => (
      <rect
        key={i}
        x={x + (i % columns) * 16}
        y={y + Math.floor(i / columns) * 20}
        width="7"
        height="10"
        rx="1.5"
      />
    ))

/**
 * Draws a street at dusk: two rows of houses that drift apart on scroll, a curb, a van and a cab.
 */
export const CityArt = ({ className }: { className: string | undefined }) => (
  <svg
    className={className}
    viewBox="0 0 1440 300"
    preserveAspectRatio="xMidYMax slice"
    aria-hidden="true"
    focusable="false"
  >
    <circle cx="330" cy="92" r="44" fill="#f6b43c" opacity=".9" />
    <g fill="#17624f" style={{ transform: 'translateY(calc(var(--scrolled, 0) * 0.11px))' }}>
      <path d="M0 240V150h70v-40h60v55h50V90h26l14-26 14 26h26v80h54v-46h84v56h52v-90h92v74h58V120h66v50h44V80l34-24 34 24v94h60v-62h90v40h58V98h72v66h64v-52h94v62h58V86h40l12-30 12 30h40v154Z" />
    </g>
    <g style={{ transform: 'translateY(calc(var(--scrolled, 0) * 0.04px))' }}>
      <path
        fill="#0c4336"
        d="M0 262V196h96v-34h88v50h40v-66l52-34 52 34v80h70v-52h110v44h44v-72h96v78h60v-46h118v40h36v-64l44-28 44 28v70h72v-52h104v46h50v-76h90v80h54v-48h120v88Z"
      />
      <g fill="#f6d48a" opacity=".8">
        {drawWindows(110, 176, 4, 2, 1)}
        {drawWindows(246, 150, 4, 4, 2)}
        {drawWindows(412, 192, 5, 2, 0)}
        {drawWindows(566, 164, 5, 3, 1)}
        {drawWindows(730, 192, 5, 2, 2)}
        {drawWindows(900, 160, 4, 3, 0)}
        {drawWindows(1070, 194, 5, 2, 1)}
        {drawWindows(1222, 168, 5, 3, 2)}
      </g>
    </g>
    <rect y="254" width="1440" height="46" fill="#1b2622" />
    <g fill="none" strokeWidth="9">
      <path d="M0 254h1440" stroke="#2a3631" />
      <path d="M0 254h1440" stroke="#f6b43c" strokeDasharray="38 38" />
      <path
        d="M20 284h1440"
        stroke="#e8eee9"
        strokeWidth="4"
        strokeDasharray="60 48"
        opacity=".5"
      />
    </g>
    <g fill="#2f8c6a">
      <circle cx="214" cy="214" r="24" />
      <circle cx="238" cy="222" r="18" />
      <circle cx="684" cy="218" r="22" />
      <circle cx="1180" cy="214" r="25" />
      <circle cx="1206" cy="224" r="17" />
    </g>
    <path d="M222 226v26M684 232v20M1186 228v24" stroke="#0a2b23" strokeWidth="6" />
    <g transform="translate(86 204)">
      <path d="M6 62V14a8 8 0 0 1 8-8h92a8 8 0 0 1 8 8v48Z" fill="#f4f0e6" />
      <path d="M114 24h26a12 12 0 0 1 10 6l14 20v12h-50Z" fill="#f6b43c" />
      <path d="M122 32h17l11 17h-28Z" fill="#0c4336" />
      <path d="M44 22h32v26H44z" fill="#d8a05a" />
      <path d="M44 30h32M60 22v26" stroke="#8a5a25" strokeWidth="3" />
      <circle cx="36" cy="64" r="13" fill="#111a17" />
      <circle cx="36" cy="64" r="5" fill="#cfd8d3" />
      <circle cx="134" cy="64" r="13" fill="#111a17" />
      <circle cx="134" cy="64" r="5" fill="#cfd8d3" />
    </g>
    <g transform="translate(470 218)">
      <path
        d="M4 46V30l12-6 20-18a10 10 0 0 1 7-3h42a10 10 0 0 1 8 4l16 18 20 5a8 8 0 0 1 6 8v8Z"
        fill="#72d6b8"
      />
      <path d="M30 24 44 11h16v13ZM66 11h18l11 13H66Z" fill="#0c4336" />
      <rect x="52" y="-6" width="24" height="10" rx="3" fill="#f6b43c" />
      <circle cx="34" cy="48" r="12" fill="#111a17" />
      <circle cx="34" cy="48" r="4.5" fill="#cfd8d3" />
      <circle cx="106" cy="48" r="12" fill="#111a17" />
      <circle cx="106" cy="48" r="4.5" fill="#cfd8d3" />
    </g>
  </svg>
)
