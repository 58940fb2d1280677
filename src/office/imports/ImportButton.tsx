import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportKind } from '~/domain/imports/columns'
import type { OfficeAction } from '~/domain/access/permissions'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { useOfficeSession } from '../useOfficeSession'

const ImportDialog = lazyWithRetry<{ kind: ImportKind; onClose: () => void }>(
  async () => (await import('./ImportDialog')).ImportDialog,
)

const ACTIONS: Record<ImportKind, OfficeAction> = {
  drivers: 'driver_add',
  riders: 'user_add',
  vehicleTypes: 'cartype_save',
  bookings: 'booking_create',
}

/** Renders the button that opens the import of a list, for those who may add to it. */
export const ImportButton = ({ kind }: { kind: ImportKind }) => {
  const { t } = useTranslation()
  const { canOrNotify, isAdmin } = useOfficeSession()
  const { opened, open, close } = useOverlayParam('import')
  if (!isAdmin && kind !== 'drivers') return null
  return (
    <>
      <Button onClick={() => canOrNotify(ACTIONS[kind]) && open(kind)}>
        <Icon name="up" size={18} />
        {t('import')}
      </Button>
      {opened === kind && (
        <Suspense fallback={null}>
          <ImportDialog kind={kind} onClose={() => close()} />
        </Suspense>
      )}
    </>
  )
}
