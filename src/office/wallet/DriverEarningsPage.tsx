import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { driverEarnings, fetchDriverEarnings } from '~/src/features/earnings/earnings'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { useQueryParam, useCursor } from '~/src/ui/table/tableState'
import { FairnessReport } from '../offers/FairnessReport'
import { useOfficeSession } from '../useOfficeSession'
import { createEarningsColumns } from './driverEarningsColumns'
import { groupEarnings, GROUPINGS, toEarningsRows } from './driverEarningsRows'

type View = 'earnings' | 'fairness'
const VIEWS: View[] = ['earnings', 'fairness']

/** Shows driver earnings by month, or the report about dispatch of a month. */
export const DriverEarningsPage = () => {
  const { t } = useTranslation()
  const [requestedView, setView] = useQueryParam('view')
  const view = VIEWS.find((one) => one === requestedView) ?? 'earnings'
  const toolbar = (
    <SegmentedControl
      legend={t('earnings_view')}
      value={view}
      onChange={setView}
      options={VIEWS.map((value) => ({ value, label: t(`earnings_view_${value}`) }))}
    />
  )
  return view === 'fairness' ? (
    <FairnessReport toolbar={toolbar} />
  ) : (
    <EarningsList viewChoice={toolbar} />
  )
}

/** Pages through the drivers, when they are more than one page. */
const DriverPages = ({
  cursor,
  next,
}: {
  cursor: ReturnType<typeof useCursor>
  next: string | null
}) => {
  const { t } = useTranslation()
  return (
    <div className={pages.foot}>
      <Button disabled={!cursor.hasPrevious} onClick={cursor.onPrevious}>
        {t('drivers_before')}
      </Button>
      <Button disabled={!next} onClick={() => cursor.onNext(next ?? undefined)}>
        {t('drivers_after')}
      </Button>
    </div>
  )
}

/** Lists driver earnings; an admin sees all drivers, a fleet admin only their own. */
const EarningsList = ({ viewChoice }: { viewChoice: ReactNode }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, can } = useOfficeSession()
  const decimal = settings?.decimal ?? 2
  const currency = settings?.code
  const [requestedGrouping, setGroup] = useQueryParam('group')
  const by = GROUPINGS.find((one) => one === requestedGrouping) ?? 'none'
  const cursor = useCursor()
  const { driverearnings, ...listQuery } = useLive(driverEarnings, cursor.before ?? null)
  const rows = useMemo(
    () => groupEarnings(toEarningsRows(driverearnings?.rows ?? [], settings), by, decimal),
    [driverearnings, by, settings, decimal],
  )
  const next = driverearnings?.next ?? null
  const isPart = next !== null || cursor.hasPrevious

  const columns = useMemo(
    () => createEarningsColumns({ t, format, by, decimal, currency, isPart }),
    [t, format, by, decimal, currency, isPart],
  )

  return (
    <ListPage
      id="driverearning"
      title={t('menu_driver_earning')}
      query={listQuery}
      empty={t('no_data_available')}
      rows={rows}
      columns={columns}
      defaults={{ size: 25 }}
      toSearchText={(r) => `${r.driverName} ${r.driverVehicleNo} ${r.year} ${r.monthsName}`}
      toolbar={
        <>
          {viewChoice}
          <SegmentedControl
            legend={t('group_by')}
            value={by}
            onChange={setGroup}
            options={GROUPINGS.map((value) => ({ value, label: t(`group_${value}`) }))}
          />
        </>
      }
      {...(can('table_export') && {
        exportAs: {
          name: 'driverearning',
          rows: async (onProgress) => {
            const fetched = await dispatch(fetchDriverEarnings({ onProgress })).unwrap()
            return groupEarnings(toEarningsRows(fetched, settings), by, decimal)
          },
        },
      })}
    >
      {isPart && <DriverPages cursor={cursor} next={next} />}
    </ListPage>
  )
}
