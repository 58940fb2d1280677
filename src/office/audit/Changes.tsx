import type { AuditEntry } from '~/domain/entities'
import css from './audit.module.css'
import { changesOf } from './records'

const isNone = (value: unknown) => value === undefined || value === null || value === ''
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What an entry of the audit says was changed, before and after; `most` leaves the rest to the record's own history. */
export const Changes = ({ entry, most = Infinity }: { entry: AuditEntry; most?: number }) => {
  const changes = changesOf(entry)
  return (
    <>
      {changes.slice(0, most).map(({ name, from, to }) => (
        <code key={name} dir="ltr" className={css.change}>
          {name && <span>{name}:</span>}
          {!isNone(from) && <del>{written(from)}</del>}
          {!isNone(from) && !isNone(to) && <span aria-hidden="true">→</span>}
          {!isNone(to) && <ins>{written(to)}</ins>}
        </code>
      ))}
      {changes.length > most && '…'}
    </>
  )
}
