import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { HelpCase } from '~/domain/help/helpCase'
import { fetchOpenHelp } from '~/src/features/help/help'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import css from './dashboard.module.css'

/** Lists the customers who wait for an answer of the office; nothing without one. */
export const HelpCases = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [cases, setCases] = useState<HelpCase[]>([])
  useEffect(() => {
    // The dashboard works without this list; an alert also reports each question.
    void dispatch(fetchOpenHelp.quiet())
      .unwrap()
      .then(setCases, () => undefined)
  }, [dispatch])
  if (cases.length === 0) return null
  return (
    <section className={css.box} aria-labelledby="help-cases">
      <h2 id="help-cases">
        {t('help_cases')} <span className={css.count}>{cases.length}</span>
      </h2>
      <ul role="list" className={css.waiting}>
        {cases.map(({ booking, reference, name, messages, due }) => (
          <li key={booking}>
            <div>
              <Link to={screenPaths.booking(booking)}>
                <bdi className="typed">{name}</bdi> · {t('booking_title', { id: reference })}
              </Link>
              <small>
                {t(`help_topic_${messages.at(-1)?.topic ?? 'other'}`)}
                {due !== undefined && (
                  <>
                    {' · '}
                    <RelativeTime at={due} />
                  </>
                )}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
