import { getOwn } from '../data/ownValue'
import { PUSH_PARAMS, toPushText, type PushName } from '../booking/pushMessages'
import { FOLLOW_TEXT } from './messageTable'

/** Returns an SMS: the product's name, the title, the message, and a sentence with the link. */
export const composeSms = (
  appName: string,
  { heading, body, follow }: { heading: string; body: string; follow?: string | undefined },
): string => [`${appName}: ${heading}.`, body, follow].filter(Boolean).join(' ')

const VARIABLE = /\{\{(\w+)\}\}/g

/** Replaces the variables of a text; a missing one becomes empty. */
export const fillVariables = (
  text: string,
  values: Readonly<Record<string, string | number>>,
): string => text.replace(VARIABLE, (_, name: string) => String(values[name] ?? ''))

/** The variables that each message text may use, by the text's key. */
const TEXT_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    (Object.keys(PUSH_PARAMS) as PushName[]).flatMap((event) =>
      Object.values(toPushText(event)).map((key) => [key, PUSH_PARAMS[event]]),
    ),
  ),
  [FOLLOW_TEXT]: ['link'],
}

/** A message text with variables that it does not have. */
interface VariableFault {
  /** The text's key. */
  key: string
  /** The unknown variables, and braces that are no variable, as they stand in the text. */
  unknown: string[]
  /** The variables of the text as they are written; empty when it has none. */
  allowed: string[]
}

/** Returns the unknown variables of a message text, or undefined. Other texts have no fault. */
export const findVariableFault = (key: string, text: string): VariableFault | undefined => {
  const names = getOwn(TEXT_VARIABLES, key)
  if (names === undefined) return undefined
  const parts = text.match(/\{\{\w*\}\}|\{+[^{}]*\}*|\}+/g) ?? []
  const allowed = names.map((name) => `{{${name}}}`)
  const unknown = [...new Set(parts)].filter((part) => !allowed.includes(part))
  return unknown.length > 0 ? { key, unknown, allowed } : undefined
}

/** Values of the variables in the preview of a template. Amounts are written by the caller. */
export const EXAMPLE_VALUES = {
  amount: '12.50',
  carType: 'Van',
  changes: '…',
  driver: 'Juan',
  fee: '5.00',
  minutes: 15,
  month: '2026-11',
  payment: 'P-7K2',
  position: '-34.90328, -56.18816',
  rating: 5,
  reason: '…',
  reference: 'K7M-4QX',
  sender: 'Ana',
  text: '…',
  vehicle: 'SAB 1234',
} as const satisfies Record<(typeof PUSH_PARAMS)[PushName][number], string | number>
