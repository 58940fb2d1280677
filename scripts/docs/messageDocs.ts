// Generates the table of messages in docs/messages.md from the message table, so that it is always
// current. `npm run generate`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AUDIENCES, findMessageRow, MESSAGE_TABLE } from '~/domain/messages/messageTable'

export const MESSAGES_FILE = join(import.meta.dirname, '../..', 'docs', 'messages.md')
const TABLE_PATTERN = /(<!-- messages:begin[^\n]*-->\n)[\s\S]*?(<!-- messages:end -->)/

const renderRows = (): string[] =>
  Object.keys(MESSAGE_TABLE).flatMap((event) =>
    AUDIENCES.flatMap((audience) => {
      const row = findMessageRow(event, audience)
      if (!row) return []
      const { screen, alert, sms, email, hasLink, lifetimeMinutes, urgent, optional } = row
      const cells = [
        `\`${event}\``,
        audience,
        screen ? `opens ${screen}` : alert ? `office pages, with ${alert}` : '',
        (sms ?? '') + (hasLink ? ', with the link' : ''),
        email ?? '',
        lifetimeMinutes === undefined ? '' : `${lifetimeMinutes}`,
        [urgent && 'urgent', optional && 'optional'].filter(Boolean).join(', '),
      ]
      return [`| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')]
    }),
  )

/** Returns the text with the table between its markers; throws when they are missing. */
export const insertMessageTable = (text: string): string => {
  if (!TABLE_PATTERN.test(text))
    throw new Error(
      'docs/messages.md has no markers. Restore the lines messages:begin and messages:end.',
    )
  const head = [
    '| message | to | push and inbox | SMS | e-mail | minutes it is worth sending | |',
    '|---|---|---|---|---|---|---|',
  ]
  return text.replace(TABLE_PATTERN, `$1${[...head, ...renderRows()].join('\n')}\n$2`)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(MESSAGES_FILE, insertMessageTable(readFileSync(MESSAGES_FILE, 'utf8')))
