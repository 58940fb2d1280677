import type { FieldUnit } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'

/** The unit of a field's number; `money` is in the platform's currency. */
export type NumberUnit = 'money' | 'percent'

/** Returns the unit of a fee or discount that is an amount or a part of the fare. */
export const getPriceUnit = (type: 'flat' | 'percentage' | undefined): NumberUnit =>
  type === 'percentage' ? 'percent' : 'money'

/** Returns the unit that a field shows beside its number. */
export const useFieldUnit = (unit: NumberUnit | undefined): FieldUnit | undefined => {
  const { symbol, symbolAfter } = useFormat().moneySettings
  switch (unit) {
    case 'money':
      return { text: symbol, isAfter: symbolAfter }
    case 'percent':
      return { text: '%', isAfter: true }
    case undefined:
      return undefined
  }
}
