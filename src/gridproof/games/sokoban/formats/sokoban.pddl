(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell direction)
  (:constants up down left right - direction)
  (:predicates (player-at ?c - cell) (box-at ?c - cell) (clear ?c - cell) (next ?from ?to - cell ?toward - direction))
  (:action step
    :parameters (?from ?to - cell ?toward - direction)
    :precondition (and (player-at ?from) (next ?from ?to ?toward) (clear ?to))
    :effect (and (not (player-at ?from)) (player-at ?to)))
  (:action push
    :parameters (?from ?at ?to - cell ?toward - direction)
    :precondition (and (player-at ?from) (next ?from ?at ?toward) (box-at ?at) (next ?at ?to ?toward) (clear ?to))
    :effect (and (not (player-at ?from)) (player-at ?at)
      (not (box-at ?at)) (clear ?at) (box-at ?to) (not (clear ?to)))))
