import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { round } from '~/domain/money'
import {
  type DriverEarning,
  driverEarnings,
  fetchDriverEarnings,
} from '~/src/features/earnings/earnings'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, Segments } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import pages from '~/src/ui/office/pages.module.css'
import { useAddress, useCursor } from '~/src/ui/office/tableState'
import { useOffice } from '../useOffice'

type GroupBy = 'none' | 'month' | 'driver'
const GROUPS: GroupBy[] = ['none', 'month', 'driver']

/** One row for all of a month, or all of a driver. */
const grouped = (rows: DriverEarning[], by: GroupBy): DriverEarning[] => {
  if (by === 'none') return rows
  const groups = new Map<string, DriverEarning>()
  for (const row of rows) {
    const [month = '', uid = ''] = row.id.split(' ')
    const id = by === 'month' ? month : uid
    const group = groups.get(id)
    if (group) {
      group.total_rides += row.total_rides ?? 0
      group.driverShare += row.driverShare ?? 0
    } else groups.set(id, { ...row, id })
  }
  return [...groups.values()]
}

/** What drivers earned, month by month; an admin goes through all drivers, a fleet admin sees his own. */
export const DriverEarningPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, may } = useOffice()
  const decimal = settings?.decimal ?? 2
  const [wanted, setGroup] = useAddress('group')
  const by = GROUPS.find((one) => one === wanted) ?? 'none'
  const cursor = useCursor()
  const { driverearnings, ...look } = useLive(driverEarnings, cursor.before ?? null)
  const rows = useMemo(() => grouped(driverearnings?.rows ?? [], by), [driverearnings, by])
  const next = driverearnings?.next ?? null

  const columns = useMemo((): Column<DriverEarning>[] => {
    const month: Column<DriverEarning>[] = [
      { id: 'year', title: t('year'), sort: (r) => r.id, text: (r) => r.year, cell: (r) => r.year },
      {
        id: 'monthsName',
        title: t('month'),
        sort: (r) => r.id.slice(5, 7),
        text: (r) => r.monthsName,
        cell: (r) => t(`month_${r.monthsName}`),
      },
    ]
    const driver: Column<DriverEarning>[] = [
      {
        id: 'driverName',
        title: t('driver_name'),
        sort: (r) => r.driverName,
        cell: (r) => r.driverName,
      },
      {
        id: 'driverVehicleNo',
        title: t('vehicle_no'),
        sort: (r) => r.driverVehicleNo,
        cell: (r) => r.driverVehicleNo,
      },
    ]
    return [
      ...(by === 'driver' ? [] : month),
      ...(by === 'month' ? [] : driver),
      {
        id: 'total_rides',
        title: t('total_rides'),
        align: 'end',
        sort: (r) => r.total_rides,
        cell: (r) => format.number(r.total_rides ?? 0),
      },
      {
        id: 'driverShare',
        title: t('driver_share'),
        align: 'end',
        sort: (r) => r.driverShare,
        text: (r) => round(r.driverShare ?? 0, decimal),
        cell: (r) => format.money(r.driverShare ?? 0),
      },
    ]
  }, [t, format, by, decimal])

  return (
    <ListPage
      id="driverearning"
      title={t('menu_driver_earning')}
      look={look}
      empty={t('no_data_available')}
      rows={rows}
      columns={columns}
      defaults={{ size: 25 }}
      search={(r) => `${r.driverName} ${r.driverVehicleNo} ${r.year} ${r.monthsName}`}
      toolbar={
        <Segments
          legend={t('group_by')}
          value={by}
          onChange={setGroup}
          options={GROUPS.map((value) => ({ value, label: t(`group_${value}`) }))}
        />
      }
      {...(may('table_export') && {
        exportAs: {
          name: 'driverearning',
          rows: async (onProgress) =>
            grouped(await dispatch(fetchDriverEarnings({ onProgress })).unwrap(), by),
        },
      })}
    >
      {(next || cursor.hasPrevious) && (
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
