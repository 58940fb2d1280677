import { useTranslation } from 'react-i18next'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import css from './NavigateDialog.module.css'
import type { Place } from '~/domain/geo/types'

/** Returns links that open a place in common maps apps. */
const getNavigationLinks = ({ lat, lng, add }: Place): { app: string; href: string }[] => {
  const point = `${lat},${lng}`
  return [
    {
      app: 'nav_google',
      href: `https://www.google.com/maps/dir/?api=1&destination=${point}&travelmode=driving`,
    },
    { app: 'nav_waze', href: `https://waze.com/ul?ll=${point}&navigate=yes` },
    { app: 'nav_apple', href: `https://maps.apple.com/?daddr=${point}&dirflg=d` },
    { app: 'nav_other', href: `geo:${point}?q=${point}(${encodeURIComponent(add)})` },
  ]
}

/** Lets the driver choose a navigation app. */
export const NavigateDialog = ({ to: target, onClose }: { to: Place; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <Dialog title={t('navigate_title')} onClose={onClose}>
      <p>{target.add}</p>
      <ul role="list" className={css.apps}>
        {getNavigationLinks(target).map(({ app, href }) => (
          <li key={app}>
            <a href={href} target="_blank" rel="noreferrer" onClick={onClose}>
              <Icon name="compass" size={24} />
              {t(app)}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
