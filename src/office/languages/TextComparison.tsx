import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  TEXT_COMPARISON_GROUPS,
  type TextComparison as Comparison,
} from '~/domain/catalog/languages'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { SearchField } from '~/src/ui/table/SearchField'
import css from './languages.module.css'

type Texts = Readonly<Record<string, string>>
/** Rows per page: more than a person reads at once, and few enough to keep the page fast. */
const PAGE_SIZE = 100

interface ComparisonProps {
  compared: Comparison
  texts: Texts
  fallback: Texts
  /** Changes one text; absent while the JSON has an error. */
  onText: ((key: string, text: string) => void) | undefined
}

/**
 * Returns the keys of the chosen kind that match the search. A key whose text was edited here stays
 * in its place, although its kind has changed.
 */
const useShownKeys = (
  { compared, texts, fallback }: ComparisonProps,
  { kind, edited, search }: { kind: keyof Comparison; edited: ReadonlySet<string>; search: string },
) =>
  useMemo(() => {
    const inKind = new Set(compared[kind])
    const words = search.trim().toLocaleLowerCase()
    const isMatch = (key: string) =>
      [key, fallback[key], texts[key]].some((text) => text?.toLocaleLowerCase().includes(words))
    return [...Object.keys(fallback), ...compared.unknown].filter(
      (key) => edited.has(key) || (inKind.has(key) && isMatch(key)),
    )
  }, [compared, texts, fallback, kind, edited, search])

/** Shows one text of the default language, and that of this language in a field. */
const TextRow = ({
  name,
  text,
  original,
  onText,
}: {
  name: string
  text: string
  original: string | undefined
  onText: ((text: string) => void) | undefined
}) => {
  // The text comes back later than the next keystroke, so the field has its own while in use.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <tr>
      <th scope="row">
        <code dir="ltr">{name}</code>
      </th>
      <td dir="auto">{original}</td>
      <td>
        <textarea
          className={css.text}
          aria-label={name}
          dir="auto"
          rows={1}
          value={typed ?? text}
          readOnly={!onText}
          onChange={({ target }) => {
            setTyped(target.value)
            onText?.(target.value)
          }}
          onBlur={() => setTyped(null)}
        />
      </td>
    </tr>
  )
}

const NO_KEYS: ReadonlySet<string> = new Set()

/**
 * Edits the texts of a language next to those of the default language, grouped by kind. It has one
 * row for each text, and the JSON above changes with it.
 */
export const TextComparison = (props: ComparisonProps) => {
  const { compared, texts, fallback, onText } = props
  const { t } = useTranslation()
  const format = useFormat()
  const [chosenKind, setChosenKind] = useState<keyof Comparison | null>(null)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const [edited, setEdited] = useState(NO_KEYS)
  const [search, setSearch] = useState('')
  const kind =
    chosenKind ?? TEXT_COMPARISON_GROUPS.find((one) => compared[one].length > 0) ?? 'missing'
  const keys = useShownKeys(props, { kind, edited, search })
  const edit = (key: string) => (text: string) => {
    // The kind stays chosen, also when its last text gets another kind.
    setChosenKind(kind)
    setEdited(new Set([...edited, key]))
    onText?.(key, text)
  }
  return (
    <section className={css.comparison}>
      <h3>{t('compare_title')}</h3>
      <Tabs
        label={t('compare_title')}
        value={kind}
        onChange={(next) => {
          setChosenKind(next)
          setEdited(NO_KEYS)
          setLimit(PAGE_SIZE)
        }}
        tabs={TEXT_COMPARISON_GROUPS.map((value) => ({
          value,
          label: `${t(`compare_${value}`)} ${format.number(compared[value].length)}`,
        }))}
      />
      <SearchField
        value={search}
        onChange={(text) => {
          setSearch(text)
          setEdited(NO_KEYS)
          setLimit(PAGE_SIZE)
        }}
      />
      {keys.length === 0 ? (
        <p className={css.none}>{t('no_rows')}</p>
      ) : (
        <div className={css.compared} role="region" aria-label={t('compare_title')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('compare_key')}</th>
                <th scope="col">{t('default')}</th>
                <th scope="col">{t('compare_here')}</th>
              </tr>
            </thead>
            <tbody>
              {keys.slice(0, limit).map((key) => (
                <TextRow
                  key={key}
                  name={key}
                  text={texts[key] ?? ''}
                  original={fallback[key]}
                  onText={onText && edit(key)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {keys.length > limit && (
        <div>
          <Button size="small" onClick={() => setLimit(limit + PAGE_SIZE)}>
            {t('more')}
          </Button>
        </div>
      )}
    </section>
  )
}
