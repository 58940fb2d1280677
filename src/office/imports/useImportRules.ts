import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getImportColumns, type ImportColumn, type ImportKind } from '~/domain/imports/columns'
import {
  createRowChecks,
  IMPORT_KEYS,
  type CheckContext,
  type ImportedRows,
} from '~/domain/imports/importRows'
import type { ImportRules } from '~/domain/imports/importTable'
import { homeCountry } from '~/src/features/settings/countries'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { getNow } from '../dates'
import { useOfficeSession } from '../useOfficeSession'
import type { Settings } from '~/domain/catalog/types'

/** Returns the columns of a kind with their headings, and the rules by which its rows are read. */
export const useImportRules = <Kind extends ImportKind>(kind: Kind, settings: Settings) => {
  const { t, i18n } = useTranslation()
  const { locale } = useFormat()
  const { cars } = useLive(liveVehicleTypes)
  const { isAdmin } = useOfficeSession()
  return useMemo(() => {
    const english = i18n.getFixedT('en')
    // Only admins set the bank details of drivers.
    const visibleSettings = isAdmin ? settings : { ...settings, bank_fields: false }
    const columns = getImportColumns(kind, visibleSettings)
    const nameIn = (key: string) => [t(key), english(key)]
    const getTitles = ({ title }: ImportColumn) => nameIn(title)
    const createRules = (): ImportRules<ImportedRows[Kind]> => {
      const context: CheckContext = {
        country: homeCountry(settings),
        timezone: settings.timezone,
        locale,
        feeTypes: { flat: nameIn('flat'), percentage: nameIn('percentage') },
        vehicleTypes: cars,
        settings,
        now: getNow(),
      }
      return {
        columns,
        getTitles,
        context,
        check: createRowChecks(context)[kind],
        getKeys: IMPORT_KEYS[kind],
      }
    }
    return { columns, getTitle: (column: ImportColumn) => t(column.title), createRules, cars }
  }, [kind, settings, isAdmin, t, i18n, locale, cars])
}
