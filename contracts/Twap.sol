// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConditionalOrder} from "./ConditionalOrder.sol";

interface Cabinet {
    function cabinet(address owner, bytes32 context) external view returns (bytes32);
}

/// Sells equal parts, one per period.
contract Twap is ConditionalOrder {
    struct Data {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 partSellAmount;
        /// least amount of the buy token for each part
        uint256 minPartLimit;
        /// start, Unix seconds; zero: the value in the registry's cabinet
        uint256 t0;
        /// number of parts
        uint256 n;
        /// seconds from part to part
        uint256 t;
        /// seconds for which each part is valid; zero: until the next one
        uint256 span;
        bytes32 appData;
    }

    Cabinet public immutable composableCow;

    constructor(Cabinet composableCow_) {
        composableCow = composableCow_;
    }

    function getTradeableOrder(address owner, address, bytes32 context, bytes calldata staticInput, bytes calldata)
        public
        view
        override
        returns (Order memory)
    {
        Data memory data = abi.decode(staticInput, (Data));
        if (data.t0 == 0) data.t0 = uint256(composableCow.cabinet(owner, context));
        check(data);
        return Order({
            sellToken: data.sellToken,
            buyToken: data.buyToken,
            receiver: data.receiver,
            sellAmount: data.partSellAmount,
            buyAmount: data.minPartLimit,
            validTo: uint32(computeValidTo(data)),
            appData: data.appData,
            feeAmount: 0,
            kind: KIND_SELL,
            partiallyFillable: false,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }

    function computeValidTo(Data memory data) private view returns (uint256) {
        if (block.timestamp < data.t0) revert PollTryAtEpoch(data.t0, "before twap start");
        uint256 part = (block.timestamp - data.t0) / data.t;
        if (part >= data.n) revert PollNever("after twap finish");
        uint256 start = data.t0 + part * data.t;
        if (data.span == 0) return start + data.t - 1;
        if (block.timestamp >= start + data.span) {
            if (part + 1 == data.n) revert PollNever("after twap finish");
            revert PollTryAtEpoch(start + data.t, "not within span");
        }
        return start + data.span - 1;
    }

    function check(Data memory data) private pure {
        if (data.sellToken == data.buyToken) revert OrderNotValid("same token");
        if (data.sellToken == address(0) || data.buyToken == address(0)) revert OrderNotValid("invalid token");
        if (data.partSellAmount == 0) revert OrderNotValid("invalid part sell amount");
        if (data.minPartLimit == 0) revert OrderNotValid("invalid min part limit");
        if (data.t0 >= type(uint32).max) revert OrderNotValid("invalid start time");
        if (data.n < 2 || data.n > type(uint32).max) revert OrderNotValid("invalid num parts");
        if (data.t == 0 || data.t > 365 days) revert OrderNotValid("invalid frequency");
        if (data.span > data.t) revert OrderNotValid("invalid span");
    }
}
