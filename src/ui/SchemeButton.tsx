import { useTranslation } from 'react-i18next'
import { IconButton } from './controls'
import { Icon } from './Icon'
import { chooseScheme, useScheme } from './scheme'

/** Changes from light to dark and back. */
export const SchemeButton = () => {
  const { t } = useTranslation()
  const other = useScheme() === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={t(`${other}_mode`)} onClick={() => chooseScheme(other)}>
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </IconButton>
  )
}
