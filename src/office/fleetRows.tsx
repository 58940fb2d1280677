import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import type { useCursor } from '~/src/ui/table/tableState'
import pages from './recordPages/pages.module.css'

/** Maximum number of rows on the screen; beyond it, "load older" starts the next page. */
const MAX_ROWS = 990

/**
 * Returns the window of a fleet admin, whose queries cannot be paged: the newest rows, and three
 * times as many on each request.
 */
export const useFleetRows = (pageSize: number, cursor: ReturnType<typeof useCursor>) => {
  const [size, setSize] = useState(pageSize)
  return {
    size,
    /** Shows more rows than the read ones; undefined when there are no others. */
    getLoadOlder: (read: readonly { id: string }[]) =>
      read.length < size
        ? undefined
        : () => {
            if (size < MAX_ROWS) return setSize(Math.min(MAX_ROWS, size * 3))
            setSize(pageSize)
            cursor.onNext(read.map(({ id }) => id).sort()[0])
          },
  }
}

/** Renders the buttons below a list whose number of rows is unknown. */
export const FleetRowsFoot = ({
  onNewer,
  onOlder,
}: {
  onNewer: (() => void) | undefined
  onOlder: (() => void) | undefined
}) => {
  const { t } = useTranslation()
  if (!onNewer && !onOlder) return null
  return (
    <div className={pages.foot}>
      {onNewer && <Button onClick={onNewer}>{t('look_nearer')}</Button>}
      {onOlder && <Button onClick={onOlder}>{t('load_older')}</Button>}
    </div>
  )
}
