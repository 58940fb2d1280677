import { type KeyboardEvent, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { useEarlyText } from '~/src/ui/useEarlyText'
import css from './PlaceField.module.css'
import { type Option, toOption, useKnownPlaces, usePlaceOptions } from './placeOptions'
import { saveRecentPlace } from './recentPlaces'
import type { LatLng, Place } from '~/domain/geo/types'

const PlaceOnMapDialog = lazyWithRetry(
  async () => (await import('./PlaceOnMapDialog')).PlaceOnMapDialog,
)

const LAST_OPTION = Number.MAX_SAFE_INTEGER

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Returns the direction of a text, because browsers detect it only for typed text. */
const detectDirection = (text: string) =>
  text ? (RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr') : undefined

interface Props {
  label: string
  placeholder: string
  value: Place | null
  onChange: (place: Place | null) => void
  /** Error text, already translated. */
  error?: string | undefined
  /** Prefers places near this position. */
  near?: LatLng | undefined
  offersPosition?: boolean
  /** Other entries, offered while nothing is typed. */
  extras?: Option[] | undefined
  lead: ReactNode
  trail?: ReactNode
  /** Receives the running lookup of a chosen place; it settles after `onChange`. */
  onLookup?: (work: Promise<unknown>) => void
}

/** Returns what asks for a place on the map; the open dialog resolves it. */
const useMapChoice = () => {
  const [pick, setPick] = useState<{ resolve: (place: Place | null) => void } | null>(null)
  const chooseOnMap = async () => {
    // Loads before rendering, because a failed load during rendering would replace the whole page.
    await PlaceOnMapDialog.load()
    return new Promise<Place | null>((resolve) => {
      setPick({
        resolve: (place) => {
          setPick(null)
          resolve(place)
        },
      })
    })
  }
  return { pick, chooseOnMap }
}

/** Shows the entries, or why there are none. */
const OptionList = ({
  id,
  label,
  isShown,
  options,
  at,
  empty,
  choose,
}: {
  id: string
  label: string
  isShown: boolean
  options: Option[]
  /** The index of the selected entry; -1 when there is none. */
  at: number
  /** The text of an empty list. */
  empty: string
  choose: (option: Option) => void
}) => (
  <ul id={`${id}-list`} role="listbox" aria-label={label} className={css.list} hidden={!isShown}>
    {options.map((option, index) => (
      <li
        // Keyed by index, so that a response changes the text of a row but moves nothing under
        // a finger.
        key={index}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === at}
        // Runs before the field loses focus and closes the list.
        onMouseDown={(event) => {
          event.preventDefault()
          choose(option)
        }}
      >
        <Icon name={option.icon} size={18} />
        <span key={option.text} dir="auto">
          {option.name && <b>{option.name} </b>}
          {option.text}
        </span>
      </li>
    ))}
    {options.length === 0 && isShown && (
      <li role="option" aria-selected="false" aria-disabled="true">
        {empty}
      </li>
    )}
  </ul>
)

/**
 * Lets the user find a place by typing, with suggestions chosen by mouse or arrow keys. `value` is
 * null until one is chosen.
 */
export const PlaceField = ({
  label,
  placeholder,
  value,
  onChange,
  error,
  near,
  offersPosition: hasPosition = false,
  extras,
  lead: leading,
  trail: trailing,
  onLookup = () => undefined,
}: Props) => {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  /** The option selected by keyboard: none, its index, or the last one of any list length. */
  const [keysAt, setAt] = useState(-1)
  const search = usePlaceSearch(near)
  /** True after Enter was pressed during a search; its result becomes the choice. */
  const [awaits, setAwaits] = useState(false)
  const [isResolving, setIsResolving] = useState(false)
  const { pick, chooseOnMap } = useMapChoice()
  const knownPlaces = useKnownPlaces(isOpen || pick !== null)
  const options = usePlaceOptions(search, typed, knownPlaces, { hasPosition, extras, chooseOnMap })
  // During a search the arrow keys reach only known matches: the rows of the previous search belong
  // to other letters, and the map does not match what is typed.
  const reachable = !search.busy ? options : search.suggestions ? [] : options.slice(0, -1)
  const last = reachable.length - 1
  const at = Math.min(keysAt, last)
  const type = (entered: string) => {
    setTyped(entered)
    setOpen(true)
    setAt(-1)
    if (value) onChange(null)
    search.search(entered)
  }
  const resolveOption = async (option: Option) => {
    setOpen(false)
    setAt(-1)
    setIsResolving(true)
    search.setProblem(null)
    if (!option.isQuestion) setTyped(option.text)
    const place = await option.choose().catch(() => {
      search.setProblem('unavailable')
      return null
    })
    setIsResolving(false)
    setTyped(null)
    search.forget()
    if (!place) return
    saveRecentPlace(place)
    onChange(place)
  }
  const choose = (option: Option) => onLookup(resolveOption(option))
  const awaitSearch = async () => {
    setAwaits(true)
    const selected = Math.max(keysAt, 0)
    const places = await search.searched()
    setAwaits(false)
    const suggestion = places?.[Math.min(selected, places.length - 1)]
    if (suggestion) await resolveOption(toOption(suggestion, search))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      if (event.key === 'ArrowDown') setAt(isOpen && at < last ? at + 1 : 0)
      else setAt(isOpen && at > 0 ? at - 1 : LAST_OPTION)
    } else if (event.key === 'Enter' && isOpen) {
      const option = reachable[at] ?? (search.suggestions ? reachable[0] : undefined)
      if (!option && !search.busy) return
      event.preventDefault()
      if (option) choose(option)
      else if (!awaits) onLookup(awaitSearch())
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setOpen(false)
      search.stopAwaiting()
    }
  }
  const text = typed ?? value?.add ?? ''
  const input = useRef<HTMLInputElement>(null)
  useEarlyText(input, text, type)
  const isBusy = search.busy || isResolving
  const problem = search.problem ? t(search.problem) : error
  const isListShown = isOpen && (options.length > 0 || search.suggestions !== null || isBusy)
  return (
    <div className={css.field}>
      <div className={css.row} data-wrong={problem ? true : undefined}>
        <span className={css.lead}>{leading}</span>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <input
          ref={input}
          id={id}
          className={css.input}
          role="combobox"
          type="text"
          dir={detectDirection(text)}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={placeholder}
          value={text}
          aria-expanded={isListShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-busy={awaits || undefined}
          aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => type(target.value)}
        />
        {trailing}
      </div>
      <OptionList
        {...{ id, label, options, at, choose }}
        isShown={isListShown}
        empty={t(isBusy ? 'searching' : 'no_places')}
      />
      <span className="visually-hidden" role="status">
        {awaits && t('searching')}
        {isOpen &&
          search.suggestions &&
          !isBusy &&
          t('places_found', { count: search.suggestions.length })}
      </span>
      {pick && (
        <Suspense fallback={null}>
          <PlaceOnMapDialog
            title={label}
            start={value ?? near}
            knownPlaces={[...knownPlaces.saved, ...knownPlaces.others]}
            onPick={pick.resolve}
          />
        </Suspense>
      )}
      {problem && (
        <span className={css.problem} id={`${id}-error`} role="alert">
          <Icon name="warning" size={16} />
          {problem}
        </span>
      )}
    </div>
  )
}
