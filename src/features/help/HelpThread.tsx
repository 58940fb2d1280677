import { useTranslation } from 'react-i18next'
import type { HelpCase } from '~/domain/help/helpCase'
import { DateTime } from '~/src/ui/format/values'
import css from './HelpThread.module.css'

/** Shows what a customer asked about a booking, and the office's answers, oldest first. */
export const HelpThread = ({ shown: { messages, name } }: { shown: HelpCase }) => {
  const { t } = useTranslation()
  return (
    <ol role="list" className={css.thread} aria-live="polite">
      {messages.map(({ id, from, topic, text, at }) => (
        <li key={id} data-from={from}>
          <strong>
            {from === 'office' ? t('help_from_office') : <bdi className="typed">{name}</bdi>}
            {topic && ` · ${t(`help_topic_${topic}`)}`}
          </strong>
          <p className="typed" dir="auto">
            {text}
          </p>
          <small>
            <DateTime at={at} />
          </small>
        </li>
      ))}
    </ol>
  )
}
