/** Limits of feedback, and the words that stand in for what a sender leaves empty. */
export const MAX_FEEDBACK_LENGTH = 5000;
export const NO_NAME = 'Anonymous';
export const NO_EMAIL = 'No email provided';
