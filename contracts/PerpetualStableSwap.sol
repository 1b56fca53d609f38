// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConditionalOrder} from "./ConditionalOrder.sol";

interface DecimalToken {
    function balanceOf(address account) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// Sells whichever of two tokens of equal worth the owner has more of, for the other plus a spread.
contract PerpetualStableSwap is ConditionalOrder {
    struct Data {
        DecimalToken tokenA;
        DecimalToken tokenB;
        /// length of the period at whose end the order ends, seconds
        uint32 validityBucketSeconds;
        /// 1/10000
        uint256 halfSpreadBps;
        bytes32 appData;
    }

    function getTradeableOrder(address owner, address, bytes32, bytes calldata staticInput, bytes calldata)
        public
        view
        override
        returns (Order memory)
    {
        Data memory data = abi.decode(staticInput, (Data));
        (DecimalToken sold, DecimalToken bought) = (data.tokenA, data.tokenB);
        if (convert(sold, sold.balanceOf(owner), bought) <= bought.balanceOf(owner)) (sold, bought) = (bought, sold);
        uint256 sellAmount = sold.balanceOf(owner);
        if (sellAmount == 0) revert OrderNotValid("not funded");
        return Order({
            sellToken: address(sold),
            buyToken: address(bought),
            receiver: address(0),
            sellAmount: sellAmount,
            buyAmount: convert(sold, sellAmount, bought) * (10_000 + data.halfSpreadBps) / 10_000,
            validTo: endOfPeriod(data.validityBucketSeconds),
            appData: data.appData,
            feeAmount: 0,
            kind: KIND_SELL,
            partiallyFillable: false,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }

    /// Rounded down.
    function convert(DecimalToken from, uint256 amount, DecimalToken to) private view returns (uint256) {
        (uint8 own, uint8 other) = (from.decimals(), to.decimals());
        return own > other ? amount / 10 ** (own - other) : amount * 10 ** (other - own);
    }
}
