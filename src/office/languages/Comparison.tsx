import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COMPARED, type Compared } from '~/domain/languages'
import { Button, Tabs } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import css from './languages.module.css'

type Texts = Readonly<Record<string, string>>
/** More rows at once than a person reads, and fewer than a page slows down with. */
const SHOWN = 100

/** The texts of a language beside those of the default one, kind by kind. */
export const Comparison = ({
  compared,
  texts,
  fallback,
}: {
  compared: Compared
  texts: Texts
  fallback: Texts
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [chosen, setChosen] = useState<keyof Compared | null>(null)
  const [limit, setLimit] = useState(SHOWN)
  const kind = chosen ?? COMPARED.find((one) => compared[one].length > 0) ?? 'missing'
  const keys = compared[kind]
  return (
    <section className={css.comparison}>
      <h3>{t('compare_title')}</h3>
      <Tabs
        label={t('compare_title')}
        value={kind}
        onChange={(next) => {
          setChosen(next)
          setLimit(SHOWN)
        }}
        tabs={COMPARED.map((value) => ({
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
          <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
            {t('more')}
          </Button>
        </div>
      )}
    </section>
  )
}
