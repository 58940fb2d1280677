import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon'
import css from './OfflineBanner.module.css'

/** A lost connection is told only after this long: every page begins with a moment without one. */
const PATIENCE_MS = 1500

/** Says that what is shown may be old, for as long as the device is offline or the database can't be reached. */
export const OfflineBanner = ({ reachable }: { reachable: boolean }) => {
  const { t } = useTranslation()
  const online = useSyncExternalStore(
    (onChange) => {
      window.addEventListener('online', onChange)
      window.addEventListener('offline', onChange)
      return () => {
        window.removeEventListener('online', onChange)
        window.removeEventListener('offline', onChange)
      }
    },
    () => navigator.onLine,
    () => true,
  )
  const connected = online && reachable
  const [told, setTold] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setTold(!connected), connected ? 0 : PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return (
    <div role="status">
      {told && (
        <p className={css.banner}>
          <Icon name="warning" size={18} /> {t('offline')}
        </p>
      )}
    </div>
  )
}
