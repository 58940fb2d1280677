/** Our own line icons on a 24-unit grid, with one stroke width and round ends. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  close: 'M6 6l12 12M18 6L6 18',
  warning:
    'M12 8v5M12 16.5v.01M10.3 4.2 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z',
  check: 'M5 12.5 10 17.5 19.5 7',
  pin: 'M12 21s7-6.1 7-11.3A7 7 0 0 0 5 9.7C5 14.9 12 21 12 21ZM12 12.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z',
  pickup: 'M12 17.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Z',
  stop: 'M12 8.2 15.8 12 12 15.8 8.2 12Z',
  dot: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  swap: 'M8 4v15M8 19l-3.5-3.5M8 19l3.5-3.5M16 20V5M16 5l-3.5 3.5M16 5l3.5 3.5',
  plus: 'M12 5v14M5 12h14',
  clock: 'M12 7.5V12l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0',
  phone:
    'M6.5 3.5h3l1.5 4-2 1.5a12 12 0 0 0 6 6l1.5-2 4 1.5v3a2 2 0 0 1-2 2A16 16 0 0 1 4.5 5.5a2 2 0 0 1 2-2Z',
  box: 'M12 3 20 7.3v9.4L12 21l-8-4.3V7.3L12 3ZM4 7.3l8 4.4 8-4.4M12 11.7V21',
  wallet:
    'M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3M4 7.5V17a2.5 2.5 0 0 0 2.5 2.5H20V8H6.5A2.5 2.5 0 0 1 4 7.5ZM16 13.8v.01',
  cash: 'M3 7h18v10H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6.5 12v.01M17.5 12v.01',
  star: 'm12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8L12 3.8Z',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  forward: 'M5 12h14M13 6l6 6-6 6',
  back: 'M19 12H5M11 6l-6 6 6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  expand: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.5 9.5h17M3.5 14.5h17M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  chat: 'M4 5h16v11H9l-5 4V5Z',
  out: 'M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15l1.5-2ZM10 21h4',
  car: 'M4 16.5v-4l2-5.5h12l2 5.5v4M3 12.5h18M6.5 16.5v2M17.5 16.5v2M3 16.5h18M7 14.6v.01M17 14.6v.01',
  shield: 'M12 3 19 6v5.5c0 4.5-3 7.7-7 9.5-4-1.8-7-5-7-9.5V6l7-3ZM8.8 12l2.2 2.2 4.2-4.4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  route:
    'M6 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 17.5H15a3.5 3.5 0 0 0 0-7H9.5a3 3 0 0 1 0-6H15.5',
  home: 'M4 11.5 12 4.5l8 7V20h-5.5v-5h-5v5H4v-8.5Z',
  trash: 'M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4V8ZM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4Z',
  compass: 'm12 3 7 17-7-4-7 4 7-17Z',
  chart: 'M4 20h16M7 20v-6M12 20V6M17 20v-9',
  send: 'M4 12 20 4l-5 16-3.5-6.5L4 12ZM11.5 13.5 20 4',
  sound: 'M4 9.5v5h3.5l5 4v-13l-5 4H4ZM16 9a4 4 0 0 1 0 6M18.5 6.5a7.5 7.5 0 0 1 0 11',
  mute: 'M4 9.5v5h3.5l5 4v-13l-5 4H4ZM16 9.5l5 5M21 9.5l-5 5',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  note: 'M5 4h14v12l-4 4H5V4ZM8.5 9h7M8.5 13h4',
  repeat:
    'M17 3l3.5 3.5L17 10M20.5 6.5H8a4 4 0 0 0-4 4v1M7 21l-3.5-3.5L7 14M3.5 17.5H16a4 4 0 0 0 4-4v-1',
  power: 'M12 3.5v8M6.6 7a8 8 0 1 0 10.8 0',
} as const
export type IconName = keyof typeof PATHS

/** Icons whose direction depends on the reading direction. */
const MIRRORED_IN_RTL = new Set<string>(['forward', 'back', 'collapse'])

/**
 * Draws a line icon of 24 by 24 units. It is hidden from screen readers, which read the text next
 * to it.
 */
export const SvgIcon = ({ name, path, size }: { name: string; path: string; size: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    data-along-text={MIRRORED_IN_RTL.has(name) || undefined}
  >
    <path d={path} />
  </svg>
)

export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <SvgIcon name={name} path={PATHS[name]} size={size} />
)
