"""Pages of questions, built from the questionnaire."""
