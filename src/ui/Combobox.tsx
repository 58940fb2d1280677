import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import css from './Combobox.module.css'
import { TextInput } from './controls'

interface ComboboxOption {
  key: string
  content: ReactNode
  choose: () => void
}

/**
 * Renders a text field with a list of results: the arrow keys move through the list, Enter or a
 * click chooses, Escape closes.
 */
export const Combobox = ({
  options,
  listLabel,
  listClass = css.list,
  isSearching = false,
  onType,
  onClose,
  onBlur,
  ...field
}: Omit<ComponentProps<typeof TextInput>, 'onChange' | 'onKeyDown'> & {
  /** Null closes the list. */
  options: readonly ComboboxOption[] | null
  listLabel: string
  /** The class of a list that does not float over the content below it. */
  listClass?: string | undefined
  /** True while the options of what was typed are on their way. Enter then chooses the first. */
  isSearching?: boolean
  onType: (text: string) => void
  /** Called on Escape; when absent, another component handles the key. */
  onClose?: () => void
}) => {
  const { t } = useTranslation()
  const listId = useId()
  // By key, because results that arrive later may move the chosen option.
  const [keyAt, setKeyAt] = useState<string | null>(null)
  const last = (options?.length ?? 0) - 1
  const at = Math.max(0, options?.findIndex(({ key }) => key === keyAt) ?? 0)
  const setAt = (next: number) =>
    setKeyAt(options?.[Math.max(0, Math.min(last, next))]?.key ?? null)
  useEffect(() => {
    if (keyAt !== null)
      document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [keyAt, listId, at])
  /** True after Enter until the search ends. */
  const isAwaited = useRef(false)
  const chooseAwaited = useEffectEvent(() => {
    if (isAwaited.current) options?.[0]?.choose()
    isAwaited.current = false
  })
  useEffect(() => {
    if (!isSearching) chooseAwaited()
  }, [isSearching])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isSearching && keyAt === null) {
      event.preventDefault()
      isAwaited.current = true
      return
    }
    if (event.key === 'Escape') isAwaited.current = false
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
          setKeyAt(null)
          isAwaited.current = false
        }}
        onKeyDown={onKeyDown}
        // The choice that Enter has made stays when the field is left.
        onBlur={(event) => isAwaited.current || onBlur?.(event)}
      />
      {options && (
        <ul role="listbox" id={listId} aria-label={listLabel} className={listClass}>
          {options.length === 0 && (
            <li role="option" aria-selected="false" aria-disabled="true">
              {t('no_matches')}
            </li>
          )}
          {options.map(({ key, content, choose }, index) => (
            <li
              key={key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              // The field keeps its focus: losing it could close the list before the click arrives.
              onMouseDown={(event) => event.preventDefault()}
              onClick={choose}
            >
              {content}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
