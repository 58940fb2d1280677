import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls'
import { Icon } from '../Icon'
import { chooseColorScheme } from './colorScheme'
import { useColorScheme } from './useColorScheme'

/** Switches between the light and the dark color scheme. */
export const ColorSchemeButton = () => {
  const { t } = useTranslation()
  const other = useColorScheme() === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={t(`${other}_mode`)} onClick={() => chooseColorScheme(other)}>
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </IconButton>
  )
}
