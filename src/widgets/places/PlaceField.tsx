import { type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { OptionList } from '~/src/ui/combobox/OptionList'
import { useCombobox } from '~/src/ui/combobox/useCombobox'
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
  required?: boolean
  /**
   * False where the places of other people are entered: the field then neither offers the user's
   * own places nor remembers what was chosen.
   */
  remembers?: boolean
  /** Other entries, offered while nothing is typed. */
  extras?: Option[] | undefined
  /** Stands before the text. */
  mark: ReactNode
  /** Stand after the text. */
  buttons?: ReactNode
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

/** Renders an entry: its icon, the user's name for the place, and the place. */
const OptionContent = ({ icon, name, text }: Option) => (
  <>
    <Icon name={icon} size={18} />
    <span key={text} dir="auto">
      {name && <b>{name} </b>}
      {text}
    </span>
  </>
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
  offersPosition = false,
  required,
  remembers = true,
  extras,
  mark,
  buttons,
  onLookup = () => undefined,
}: Props) => {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const search = usePlaceSearch(near)
  /** True after Enter was pressed during a search; its result becomes the choice. */
  const [awaits, setAwaits] = useState(false)
  const [isResolving, setIsResolving] = useState(false)
  const { pick, chooseOnMap } = useMapChoice()
  const knownPlaces = useKnownPlaces(remembers, isOpen || pick !== null)
  const options = usePlaceOptions(search, typed, knownPlaces, {
    offersPosition,
    extras,
    chooseOnMap,
  })
  // During a search the arrow keys reach only known matches: the rows of the previous search belong
  // to other letters, and the map does not match what is typed.
  const reachable = !search.busy ? options : search.suggestions ? [] : options.slice(0, -1)
  const resolveOption = async (option: Option) => {
    setOpen(false)
    clearSelection()
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
    if (remembers) saveRecentPlace(place)
    onChange(place)
  }
  const choose = (option: Option) => onLookup(resolveOption(option))
  const awaitSearch = async () => {
    setAwaits(true)
    const suggestion = (await search.searched())?.[0]
    setAwaits(false)
    if (suggestion) await resolveOption(toOption(suggestion, search))
  }
  const { at, listId, clearSelection, fieldProps } = useCombobox({
    options: isOpen ? reachable : null,
    fallback: search.suggestions ? reachable[0] : undefined,
    isSearching: isOpen && search.busy,
    onChoose: choose,
    onAwait: () => {
      if (!awaits) onLookup(awaitSearch())
    },
    onOpen: () => setOpen(true),
    onClose: () => {
      setOpen(false)
      search.stopAwaiting()
    },
  })
  const type = (entered: string) => {
    setTyped(entered)
    setOpen(true)
    clearSelection()
    if (value) onChange(null)
    search.search(entered)
  }
  const text = typed ?? value?.add ?? ''
  const input = useRef<HTMLInputElement>(null)
  useEarlyText(input, text, type)
  const isBusy = search.busy || isResolving
  const problem = search.problem ? t(search.problem) : error
  return (
    <div className={css.field}>
      <div className={css.row} data-wrong={problem ? true : undefined}>
        <span className={css.lead}>{mark}</span>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <input
          {...fieldProps}
          ref={input}
          id={id}
          className={css.input}
          type="text"
          dir={detectDirection(text)}
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={placeholder}
          value={text}
          aria-busy={awaits || undefined}
          aria-required={required}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={({ target }) => type(target.value)}
        />
        {buttons}
      </div>
      {isOpen && (
        <OptionList
          {...{ listId, label, at }}
          className={css.list}
          options={options.map((option) => ({
            ...option,
            content: <OptionContent {...option} />,
          }))}
          emptyText={t(isBusy ? 'searching' : 'no_places')}
          onChoose={choose}
        />
      )}
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
