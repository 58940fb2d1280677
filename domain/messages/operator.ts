import { fromMinorUnits, toMinorUnits } from '../money/money'

/** Details of the business for receipts, which only functions read and write. */
export interface OperatorDetails {
  /** The legal name on receipts; without it, the company's name of the settings. */
  operatorName?: string
  /** Lines of the postal address, separated by line breaks. */
  address?: string
  taxNumber?: string
  /** Percent of tax that every price includes. Receipts without it have no tax line. */
  taxPercent?: number
}

/** Returns the tax that an amount includes, rounded to the currency's decimals. */
export const calculateIncludedTax = (amount: number, percent: number, decimal: number): number =>
  fromMinorUnits(Math.round((toMinorUnits(amount, decimal) * percent) / (100 + percent)), decimal)

/** The key of the text of the tax line. */
export const TAX_TEXT = 'receipt_tax'
