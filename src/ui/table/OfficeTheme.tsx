import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider, createTheme } from '@mui/material/styles'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { prefixer } from 'stylis'
import rtlPlugin from 'stylis-plugin-rtl'
import { getTextDirection } from '~/domain/language/locales'
import { useColorScheme } from '~/src/ui/theme/useColorScheme'
import { type ColorScheme, palette } from '~/src/ui/theme/tokens'

const caches = {
  ltr: createCache({ key: 'k' }),
  rtl: createCache({ key: 'kr', stylisPlugins: [prefixer, rtlPlugin] }),
}

const makeTheme = (scheme: ColorScheme, direction: 'ltr' | 'rtl') => {
  const c = palette[scheme]
  return createTheme({
    direction,
    palette: {
      mode: scheme,
      primary: { main: c.primary, contrastText: c['on-primary'] },
      secondary: { main: c.accent, contrastText: c['on-accent'] },
      error: { main: c.danger },
      success: { main: c.success },
      warning: { main: c.warning },
      info: { main: c.news },
      background: { default: c.paper, paper: c.surface },
      text: { primary: c.ink, secondary: c.muted },
      divider: c.line,
    },
    shape: { borderRadius: 10 },
    typography: {
      fontFamily: 'var(--font)',
      h1: { fontSize: '1.75rem', fontWeight: 750, letterSpacing: '-0.02em' },
      h2: { fontSize: '1.25rem', fontWeight: 700, letterSpacing: '-0.01em' },
      button: { textTransform: 'none', fontWeight: 650 },
    },
    components: {
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiButton: { defaultProps: { disableElevation: true } },
      MuiTextField: { defaultProps: { fullWidth: true, size: 'small' } },
    },
  })
}

/**
 * Provides the theme for the back office's MUI components: our palette in both color schemes and
 * both text directions.
 */
export const OfficeTheme = ({ children }: { children: ReactNode }) => {
  const { i18n } = useTranslation()
  const scheme = useColorScheme()
  const direction = getTextDirection(i18n.language)
  const theme = useMemo(() => makeTheme(scheme, direction), [scheme, direction])
  return (
    <CacheProvider value={caches[direction]}>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </CacheProvider>
  )
}
