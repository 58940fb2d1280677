/** The palette: `tokens.css` and the MUI theme use the same values (a test compares them). */
export const palette = {
  light: {
    paper: '#fbf7ef',
    surface: '#ffffff',
    sunken: '#f3ecdf',
    ink: '#14211d',
    muted: '#56645e',
    line: '#e0d7c6',
    primary: '#0e5a49',
    'on-primary': '#ffffff',
    accent: '#f6b43c',
    'on-accent': '#2b1d00',
    danger: '#b3261e',
    success: '#1c6b45',
    warning: '#8a5a00',
    news: '#275a94',
  },
  dark: {
    paper: '#0f1513',
    surface: '#18211e',
    sunken: '#121a17',
    ink: '#eef4f0',
    muted: '#a5b3ac',
    line: '#2d3a35',
    primary: '#72d6b8',
    'on-primary': '#04231b',
    accent: '#f6b43c',
    'on-accent': '#2b1d00',
    danger: '#ffb4ab',
    success: '#7fd6a4',
    warning: '#f3c36b',
    news: '#9fc6f5',
  },
} as const

export type ColorScheme = keyof typeof palette
