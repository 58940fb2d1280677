import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { listKnownPlaces } from '~/src/features/places/knownPlaces'
import { fetchAddressfromCoords, type Suggestion } from '~/src/features/places/places'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Icon, type IconName } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { useEarlyText } from '~/src/ui/useEarlyText'
import css from './PlaceField.module.css'
import { saveRecentPlace, loadRecentPlaces } from './recentPlaces'
import type { LatLng, Place } from '~/domain/geo/types'

const PlaceOnMapDialog = lazyWithRetry(
  async () => (await import('./PlaceOnMapDialog')).PlaceOnMapDialog,
)

const LAST_OPTION = Number.MAX_SAFE_INTEGER

export interface Option {
  key: string
  /** The user's name for the place. */
  name?: string | undefined
  text: string
  icon: IconName
  /** True when a dialog asks for the place, so that the text is not its name. */
  isQuestion?: boolean
  choose: () => Promise<Place | null>
}

/** A place with the user's name for it. */
type NamedOption = Place & Pick<Option, 'name'>

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Returns the direction of a text, because browsers detect it only for typed text. */
const detectDirection = (text: string) =>
  text ? (RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr') : undefined

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
  offersPosition: hasPositionOption,
  extras = [],
  lead: leading,
  trail: trailing,
  onLookup,
}: {
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
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  /** The option selected by keyboard: none, its index, or the last one of any list length. */
  const [keysAt, setAt] = useState(-1)
  const {
    found,
    busy: searching,
    problem,
    setProblem,
    search,
    forget,
    searched,
    stopAwaiting,
    fetchPlace,
  } = usePlaceSearch(near)
  /** True after Enter was pressed during a search; its result becomes the choice. */
  const [awaits, setAwaits] = useState(false)
  const [isResolving, setIsResolving] = useState(false)
  const busy = searching || isResolving
  /** Resolves with the place chosen on the map, while the map is open. */
  const [pick, setPick] = useState<{ answer: (place: Place | null) => void } | null>(null)

  const text = typed ?? value?.add ?? ''
  const type = (entered: string) => {
    setTyped(entered)
    setOpen(true)
    setAt(-1)
    if (value) onChange(null)
    search(entered)
  }
  const input = useRef<HTMLInputElement>(null)
  useEarlyText(input, text, type)

  const chooseMyPosition = async (): Promise<Place | null> => {
    const { requestPosition } = await import('~/src/features/gps/gps')
    const position = await dispatch(requestPosition())
    if (!position) {
      setProblem('allow_location')
      return null
    }
    const add = await dispatch(
      fetchAddressfromCoords.quiet({ ...position, language: i18n.language }),
    )
      .unwrap()
      .catch(() => t('my_location'))
    return { ...position, add }
  }
  const chooseOnMap = async () => {
    // Loads before rendering, because a failed load during rendering would replace the whole page.
    await PlaceOnMapDialog.load()
    return new Promise<Place | null>((resolve) => {
      setPick({
        answer: (place) => {
          setPick(null)
          resolve(place)
        },
      })
    })
  }

  // While a search runs, offers the known places that match.
  const words = typed?.trim().toLocaleLowerCase() ?? ''
  const isLike = (known: string) => known.toLocaleLowerCase().includes(words)
  const saved = listKnownPlaces(profile ?? {}).map(
    // Without the count, which no booking has.
    ({ lat, lng, add, name }): NamedOption => ({ lat, lng, add, name: name && t(`place_${name}`) }),
  )
  // Read once while the list is shown, because a place found by another field would otherwise move
  // its rows.
  const isShowingKnown = open || pick !== null
  const recent = useMemo(() => (isShowingKnown ? loadRecentPlaces() : []), [isShowingKnown])
  const others = recent.filter(({ add }) => !saved.some((place) => place.add === add))
  const known = (places: NamedOption[], most: number, icon: Option['icon']): Option[] =>
    places
      .filter(({ name, add }) => isLike(`${name ?? ''} ${add}`))
      .slice(0, most)
      .map(({ name, ...place }) => ({
        key: place.add,
        name,
        text: place.add,
        icon,
        choose: () => Promise.resolve(place),
      }))
  const toOption = (suggestion: Suggestion): Option => ({
    key: suggestion.place_id,
    text: suggestion.description,
    icon: 'pin',
    choose: () => fetchPlace(suggestion),
  })
  const options: Option[] = found
    ? found.map(toOption)
    : [
        ...(hasPositionOption && !words
          ? [
              {
                key: 'here',
                text: t('use_my_location'),
                icon: 'dot' as const,
                choose: chooseMyPosition,
              },
            ]
          : []),
        ...known(saved, 4, 'star'),
        ...known(others, 3, 'clock'),
        ...(words ? [] : extras),
        {
          key: 'map',
          text: t('choose_on_map'),
          icon: 'pin',
          isQuestion: true,
          choose: chooseOnMap,
        },
      ]

  // During a search the arrow keys reach only known matches: the rows of the previous search belong
  // to other letters, and the map does not match what is typed.
  const reachable = !searching ? options : found ? [] : options.slice(0, -1)
  const last = reachable.length - 1
  const at = Math.min(keysAt, last)

  const resolveOption = async (option: Option) => {
    setOpen(false)
    setAt(-1)
    setIsResolving(true)
    setProblem(null)
    if (!option.isQuestion) setTyped(option.text)
    const place = await option.choose().catch(() => {
      setProblem('unavailable')
      return null
    })
    setIsResolving(false)
    setTyped(null)
    forget()
    if (!place) return
    saveRecentPlace(place)
    onChange(place)
  }
  const choose = (option: Option) => {
    const work = resolveOption(option)
    onLookup?.(work)
  }
  const awaitSearch = async () => {
    setAwaits(true)
    const wanted = Math.max(keysAt, 0)
    const places = await searched()
    setAwaits(false)
    const suggestion = places?.[Math.min(wanted, places.length - 1)]
    if (suggestion) await resolveOption(toOption(suggestion))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      if (event.key === 'ArrowDown') setAt(open && at < last ? at + 1 : 0)
      else setAt(open && at > 0 ? at - 1 : LAST_OPTION)
    } else if (event.key === 'Enter' && open) {
      const option = reachable[at] ?? (found ? reachable[0] : undefined)
      if (!option && !searching) return
      event.preventDefault()
      if (option) choose(option)
      else if (!awaits) {
        const work = awaitSearch()
        onLookup?.(work)
      }
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      setOpen(false)
      stopAwaiting()
    }
  }
  const shown = problem ? t(problem) : error
  const isListShown = open && (options.length > 0 || found !== null || busy)
  return (
    <div className={css.field}>
      <div className={css.row} data-wrong={shown ? true : undefined}>
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
          aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={shown ? true : undefined}
          aria-describedby={shown ? `${id}-error` : undefined}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => type(target.value)}
        />
        {trailing}
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={css.list}
        hidden={!isListShown}
      >
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
        {options.length === 0 && isListShown && (
          <li role="option" aria-selected="false" aria-disabled="true">
            {t(busy ? 'searching' : 'no_places')}
          </li>
        )}
      </ul>
      <span className="visually-hidden" role="status">
        {awaits && t('searching')}
        {open && found && !busy && t('places_found', { count: found.length })}
      </span>
      {pick && (
        <Suspense fallback={null}>
          <PlaceOnMapDialog
            title={label}
            start={value ?? near}
            known={[...saved, ...others]}
            onPick={pick.answer}
          />
        </Suspense>
      )}
      {shown && (
        <span className={css.problem} id={`${id}-error`} role="alert">
          <Icon name="warning" size={16} />
          {shown}
        </span>
      )}
    </div>
  )
}
