import { SvgIcon } from '~/src/ui/Icon'

/** The back office's own line icons, in the style of `Icon`. */
const PATHS = {
  dashboard: 'M4 4h7v8H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 11.3a3.2 3.2 0 0 0 0-6.2M18 14.2a6 6 0 0 1 3.5 5.8',
  wheel:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM3.5 10.5 10 11.5M20.5 10.5 14 11.5M12 14v7',
  fleet: 'M3 15.5v-3l1.5-4h7l1.5 4v3H3ZM15 8.5h4l2 4v3h-5M5.5 15.5v1.5M10.5 15.5v1.5M18 15.5v1.5',
  reason: 'M5 4h14v12h-6l-4 4v-4H5V4ZM9.5 7.5l5 5M14.5 7.5l-5 5',
  chart: 'M4 20V4M4 20h16M8.5 16v-5M13 16V7M17.5 16v-8',
  coins:
    'M12 10c4 0 7-1.3 7-3s-3-3-7-3-7 1.3-7 3 3 3 7 3ZM5 7v5c0 1.7 3 3 7 3s7-1.3 7-3V7M5 12v5c0 1.7 3 3 7 3s7-1.3 7-3v-5',
  credit: 'M3 6.5h18v11H3zM3 10h18M16 14h2M6 14h4',
  withdraw: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 20h16',
  payment: 'M5 3h14v18l-2.3-1.6-2.4 1.6-2.3-1.6-2.3 1.6-2.4-1.6L5 21zM9 8h6M9 12h6',
  tag: 'M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5V4ZM8 8v.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 7.5v.01',
  gear: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2',
  chevron: 'm9 6 6 6-6 6',
  collapse: 'M4 5h16v14H4zM9.5 5v14M16 9.5 13.5 12l2.5 2.5',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  download: 'M12 4v10M8 10.5l4 4 4-4M5 19h14',
  refresh: 'M19.5 8A8 8 0 1 0 20 13M20 4v4.5h-4.5',
  more: 'M12 6.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM12 19.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  audit: 'M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6',
} as const
export type OfficeIconName = keyof typeof PATHS

export const OfficeIcon = ({ name, size = 20 }: { name: OfficeIconName; size?: number }) => (
  <SvgIcon name={name} path={PATHS[name]} size={size} />
)
