import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  TEXT_COMPARISON_GROUPS,
  type TextComparison as Comparison,
} from '~/domain/catalog/languages'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Tabs } from '~/src/ui/navigation/Tabs'
import css from './languages.module.css'

type Texts = Readonly<Record<string, string>>
/** Rows per page: more than a person reads at once, and few enough to keep the page fast. */
const PAGE_SIZE = 100

/** Shows the texts of a language next to those of the default language, grouped by kind. */
export const TextComparison = ({
  compared,
  texts,
  fallback,
}: {
  compared: Comparison
  texts: Texts
  fallback: Texts
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [chosenKind, setChosenKind] = useState<keyof Comparison | null>(null)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const kind =
    chosenKind ?? TEXT_COMPARISON_GROUPS.find((one) => compared[one].length > 0) ?? 'missing'
  const keys = compared[kind]
  return (
    <section className={css.comparison}>
      <h3>{t('compare_title')}</h3>
      <Tabs
        label={t('compare_title')}
        value={kind}
        onChange={(next) => {
          setChosenKind(next)
          setLimit(PAGE_SIZE)
        }}
        tabs={TEXT_COMPARISON_GROUPS.map((value) => ({
          value,
          label: `${t(`compare_${value}`)} ${format.number(compared[value].length)}`,
        }))}
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
                <tr key={key}>
                  <th scope="row">
                    <code dir="ltr">{key}</code>
                  </th>
                  <td dir="auto">{fallback[key]}</td>
                  <td dir="auto">{texts[key]}</td>
                </tr>
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
