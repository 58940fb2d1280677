import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import css from './Combobox.module.css'
import { TextInput } from './controls'

interface Option {
  key: string
  shown: ReactNode
  choose: () => void
}

/** A text field over what it finds: the arrows move through the list, Enter or a click chooses, Escape closes. */
export const Combobox = ({
  options,
  listLabel,
  listClass = css.list,
  onType,
  onClose,
  ...field
}: Omit<ComponentProps<typeof TextInput>, 'onChange' | 'onKeyDown'> & {
  /** null: no list is open. */
  options: readonly Option[] | null
  listLabel: string
  /** How the list is drawn where it does not hang over what follows. */
  listClass?: string | undefined
  onType: (text: string) => void
  /** By Escape; absent: the key is somebody else's. */
  onClose?: () => void
}) => {
  const { t } = useTranslation()
  const listId = useId()
  const [keysAt, setAt] = useState(0)
  const last = (options?.length ?? 0) - 1
  const at = Math.max(0, Math.min(last, keysAt))
  const onKeyDown = (event: KeyboardEvent) => {
    if (!options) return
    if (event.key === 'ArrowDown') setAt(at + 1)
    else if (event.key === 'ArrowUp') setAt(at - 1)
    else if (event.key === 'Enter') options[at]?.choose()
    else if (event.key === 'Escape' && onClose) onClose()
    else return
    event.preventDefault()
  }
  return (
    <div className={css.combobox}>
      <TextInput
        {...field}
        role="combobox"
        aria-expanded={options !== null}
        aria-controls={listId}
        aria-activedescendant={options?.[at] ? `${listId}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        onChange={({ target }) => {
          onType(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {options && (
        <ul role="listbox" id={listId} aria-label={listLabel} className={listClass}>
          {options.length === 0 && (
            <li role="option" aria-selected="false" aria-disabled="true">
              {t('no_matches')}
            </li>
          )}
          {options.map(({ key, shown, choose }, index) => (
            <li
              key={key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              // The field keeps its focus: losing it may close the list before the click has come.
              onMouseDown={(event) => event.preventDefault()}
              onClick={choose}
            >
              {shown}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
