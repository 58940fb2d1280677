import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Settings } from '~/domain/entities'
import { sumAmounts } from '~/domain/money'
import { toShownTotals } from '~/domain/stats'
import {
  type DriverEarning,
  driverEarnings,
  fetchDriverEarnings,
} from '~/src/features/earnings/earnings'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import type { Column } from '~/src/ui/table/DataTable'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { useQueryParam, useCursor } from '~/src/ui/table/tableState'
import { FairnessReport } from '../offers/FairnessReport'
import { getPersonPath } from '../people/personPaths'
import { useOfficeSession } from '../useOfficeSession'

type GroupBy = 'none' | 'month' | 'driver'
const GROUPINGS: GroupBy[] = ['none', 'month', 'driver']

/** One driver's month in the currency of the settings. */
type EarningsRow = Omit<DriverEarning, 'minor' | 'total_rides'> &
  Record<'driverShare' | 'compensation' | 'tips' | 'total_rides', number>
const toEarningsRows = (rows: DriverEarning[], settings: Settings | null): EarningsRow[] =>
  settings
    ? rows.map((row) => ({
        driverShare: 0,
        compensation: 0,
        tips: 0,
        ...toShownTotals(row, settings),
        // A month may have compensation or tips for an earlier booking, and no booking.
        total_rides: row.total_rides ?? 0,
      }))
    : []

/** Returns the driver of a row, whose ID is 'yyyy-mm uid' or, grouped by driver, the uid. */
const getDriverUid = ({ id }: EarningsRow) => id.split(' ').at(-1) ?? ''

/** Merges the rows into one per month or one per driver. */
const groupEarnings = (rows: EarningsRow[], by: GroupBy, decimal: number): EarningsRow[] => {
  if (by === 'none') return rows
  const groups = new Map<string, EarningsRow>()
  for (const row of rows) {
    const [month = '', uid = ''] = row.id.split(' ')
    const id = by === 'month' ? month : uid
    const group = groups.get(id)
    if (group) {
      group.total_rides += row.total_rides
      group.driverShare = sumAmounts([group.driverShare, row.driverShare], decimal)
      group.compensation = sumAmounts([group.compensation, row.compensation], decimal)
      group.tips = sumAmounts([group.tips, row.tips], decimal)
    } else groups.set(id, { ...row, id })
  }
  return [...groups.values()]
}

type View = 'earnings' | 'fairness'
const VIEWS: View[] = ['earnings', 'fairness']

/** Shows driver earnings by month, or the report about dispatch of a month. */
export const DriverEarningsPage = () => {
  const { t } = useTranslation()
  const [wanted, setView] = useQueryParam('view')
  const view = VIEWS.find((one) => one === wanted) ?? 'earnings'
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

/** Lists driver earnings; an admin sees all drivers, a fleet admin only their own. */
const EarningsList = ({ viewChoice }: { viewChoice: ReactNode }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, can } = useOfficeSession()
  const decimal = settings?.decimal ?? 2
  const currency = settings?.code
  const [wanted, setGroup] = useQueryParam('group')
  const by = GROUPINGS.find((one) => one === wanted) ?? 'none'
  const cursor = useCursor()
  const { driverearnings, ...listQuery } = useLive(driverEarnings, cursor.before ?? null)
  const rows = useMemo(
    () => groupEarnings(toEarningsRows(driverearnings?.rows ?? [], settings), by, decimal),
    [driverearnings, by, settings, decimal],
  )
  const next = driverearnings?.next ?? null
  const isPart = next !== null || cursor.hasPrevious

  const columns = useMemo((): Column<EarningsRow>[] => {
    const month: Column<EarningsRow>[] = [
      {
        id: 'year',
        title: t('year'),
        sortValue: (r) => r.id,
        isOnCard: true,
        exportValue: (r) => r.year,
        cell: (r) => r.year,
      },
      {
        id: 'monthsName',
        title: t('month'),
        sortValue: (r) => r.id.slice(5, 7),
        isOnCard: true,
        exportValue: (r) => r.monthsName,
        cell: (r) => t(`month_${r.monthsName}`),
      },
    ]
    const driver: Column<EarningsRow>[] = [
      {
        id: 'driverName',
        title: t('driver_name'),
        sortValue: (r) => r.driverName,
        isOnCard: true,
        cell: (r) => (
          <Link to={getPersonPath({ id: getDriverUid(r), usertype: 'driver' })}>
            {r.driverName}
          </Link>
        ),
      },
      {
        id: 'driverVehicleNo',
        title: t('vehicle_no'),
        sortValue: (r) => r.driverVehicleNo,
        // The months' cards have no room for it.
        isOnCard: by === 'driver',
        cell: (r) => r.driverVehicleNo,
      },
    ]
    const [heading, ...others] = [
      ...(by === 'driver' ? [] : month),
      ...(by === 'month' ? [] : driver),
    ]
    return [
      // The totals cover only the loaded drivers, because the table loads them a page at a time.
      ...(heading ? [{ ...heading, total: () => t(isPart ? 'total_of_page' : 'total') }] : []),
      ...others,
      {
        id: 'total_rides',
        title: t('total_rides'),
        align: 'end',
        sortValue: (r) => r.total_rides,
        isOnCard: true,
        cell: (r) => format.number(r.total_rides),
        total: (rows) => format.number(rows.reduce((count, r) => count + r.total_rides, 0)),
      },
      createMoneyColumn({
        id: 'driverShare',
        title: t('driver_share'),
        isOnCard: true,
        currency,
        amount: (r) => r.driverShare,
        totalDecimals: decimal,
      }),
      createMoneyColumn({
        id: 'compensation',
        title: t('compensation'),
        currency,
        amount: (r) => r.compensation,
        totalDecimals: decimal,
      }),
      createMoneyColumn({
        id: 'tips',
        title: t('tips'),
        currency,
        amount: (r) => r.tips,
        totalDecimals: decimal,
      }),
    ]
  }, [t, format, by, decimal, currency, isPart])

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
      {isPart && (
        <div className={pages.foot}>
          <Button disabled={!cursor.hasPrevious} onClick={cursor.onPrevious}>
            {t('drivers_before')}
          </Button>
          <Button disabled={!next} onClick={() => cursor.onNext(next ?? undefined)}>
            {t('drivers_after')}
          </Button>
        </div>
      )}
    </ListPage>
  )
}
